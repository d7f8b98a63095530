// Controls for the fields of the schema. Each shows the value that the person has, set by hand or not.

const OPEN = ["person", "hair"];

export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name in made && name !== "list") made[name] = value;
    else made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

// Buttons of which one is chosen; arrow keys move between them.
export function radios(label, names, choose, describe = () => ({})) {
  const box = element("div", { className: "choices", role: "radiogroup" });
  box.setAttribute("aria-label", label);
  const buttons = names.map((name) => {
    const button = element("button", { type: "button", textContent: name, onclick: () => choose(name), ...describe(name) });
    button.setAttribute("role", "radio");
    return button;
  });
  box.append(...buttons);
  box.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const at = buttons.indexOf(document.activeElement);
    if (!step || at < 0) return;
    event.preventDefault();
    const next = (at + step + buttons.length) % buttons.length;
    buttons[next].focus();
    choose(names[next]);
  });
  const show = (chosen) => {
    const any = names.includes(chosen);
    buttons.forEach((button, i) => {
      button.setAttribute("aria-checked", String(names[i] === chosen));
      button.tabIndex = names[i] === chosen || (!any && i === 0) ? 0 : -1;
    });
  };
  return { box, show };
}

function number(field, set, settle) {
  const id = `f-${field.key}`;
  const years = field.key === "age";
  const step = years ? 1 : (field.high - field.low) / 100;
  const input = element("input", { id, type: "range", min: field.low, max: field.high, step });
  const output = element("output", { htmlFor: id });
  input.addEventListener("input", () => set(Number(input.value)));
  input.addEventListener("change", settle);
  const [least, most] = field.ends.map((text) => element("span", { textContent: text }));
  const show = (value) => {
    input.value = value;
    const share = Math.round(((value - Math.min(0, field.low)) / field.high) * 100);
    output.textContent = years ? `${Math.round(value)}` : field.low < 0 ? signed(value) : `${share}%`;
    input.setAttribute("aria-valuetext", `${output.textContent}, from ${field.ends[0]} to ${field.ends[1]}`);
  };
  const ends = element("div", { className: "ends" }, least, most);
  ends.setAttribute("aria-hidden", "true");
  return { label: element("label", { htmlFor: id, textContent: field.label }), output, parts: [input, ends], show };
}

function signed(value) {
  const share = Math.round(value * 100);
  return `${share > 0 ? "+" : share < 0 ? "−" : ""}${Math.abs(share)}%`;
}

function choice(field, set, settle) {
  const id = `f-${field.key}`;
  const select = element("select", { id }, ...field.choices.map((name) => element("option", { value: name, textContent: name })));
  select.addEventListener("change", () => (set(select.value), settle()));
  const show = (value) => (select.value = value);
  return { label: element("label", { htmlFor: id, textContent: field.label }), parts: [select], show };
}

function color(field, set, settle) {
  const id = `f-${field.key}`;
  const paint = (name) => ({ textContent: "", title: name, ariaLabel: name });
  const pick = radios(field.label, field.choices, (name) => (set(name), settle()), paint);
  pick.box.className = "swatches";
  for (const [i, button] of [...pick.box.children].entries()) button.style.background = field.swatches[field.choices[i]];
  const own = element("input", { id, type: "color", title: "Another colour" });
  own.addEventListener("input", () => set(own.value));
  own.addEventListener("change", settle);
  pick.box.append(own);
  const show = (value) => {
    own.value = value.startsWith("#") ? value : field.swatches[value];
    pick.show(field.choices.find((name) => name === value || field.swatches[name] === value));
  };
  return { label: element("label", { htmlFor: id, textContent: field.label }), parts: [pick.box], show };
}

const KINDS = { number, choice, color };

// Fills `form` with groups; returns `show(values, own)`: what the person has, and what of it was set by hand.
export function build(form, schema, on) {
  const shown = [];
  for (const group of schema.groups) {
    const rows = schema.fields.filter((field) => field.group === group).map((field) => {
      const made = KINDS[field.kind](field, (value) => on.set(field.key, value), on.settle);
      const reset = element("button", { type: "button", className: "reset", textContent: "reset", onclick: () => on.reset(field.key) });
      reset.setAttribute("aria-label", `Reset ${field.label}`);
      shown.push((values, own) => {
        if (field.key in values) made.show(values[field.key]);
        reset.hidden = !(field.key in own);
      });
      const head = element("div", { className: "head" }, made.label, reset, ...(made.output ? [made.output] : []));
      return element("div", { className: "field" }, head, ...made.parts);
    });
    const box = element("div", { className: "group" }, ...rows);
    form.append(element("details", { open: OPEN.includes(group) }, element("summary", { textContent: group }), box));
  }
  return (values, own) => shown.forEach((show) => show(values, own));
}
