# A conversation: three questions, the last of which interrupts the answer before it. The caller is Joe's voice, made here.
#   sh scripts/demo.sh .venv/bin out [options of mien talk]
# makes out/demo.mp4 with both voices, and prints where the time went and how well the lips keep time.
set -eu
mien=$1/mien out=$2
shift 2
mkdir -p "$out/demo"

ask() { "$mien" say --quiet --persona joe "$2" -o "$out/demo/$1.wav"; }
ask 1 "What can you do for me?"
ask 2 "When are you open?"
ask 3 "Where is the bank?"

"$mien" talk "$out/demo/1.wav" "$out/demo/2.wav" "$out/demo/3.wav" --interrupt 2 \
    --persona bank --report "$@" -o "$out/demo.mp4"
"$mien" measure "$out/demo.mp4"
