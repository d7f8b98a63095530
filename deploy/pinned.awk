# awk -f pinned.awk wanted.txt requirements.lock: of the lock, the requirements that wanted.txt names, with hashes.
function name(line) { sub(/[ =<>!~;\[].*/, "", line); gsub(/[_.]/, "-", line); return tolower(line) }
NR == FNR { wanted[name($0)] = 1; next }
/^[A-Za-z0-9]/ { keep = name($0) in wanted }
keep
