// The studio's page: a history of wishes, controls that make them, a picture that follows.

import { build, element, radios } from "./controls.js";
import { History } from "./history.js";
import { Link } from "./link.js";

const at = (id) => document.getElementById(id);
const view = { pose: "neutral", yaw: 0, background: "studio" };
let resolved = {};
let show = () => {};

function toast(text, bad = false) {
  const box = element("div", { className: bad ? "toast bad" : "toast" }, element("span", { textContent: text }));
  const close = element("button", { type: "button", textContent: "✕", onclick: () => box.remove() });
  close.setAttribute("aria-label", "Close");
  box.append(close);
  at("toasts").append(box);
  setTimeout(() => box.remove(), bad ? 12000 : 8000);
}

// Shows what is done and the share of it; less than 0: not known.
function status(text, share = null) {
  at("status").textContent = text;
  at("progress").classList.toggle("busy", share !== null);
  if (share < 0) at("progress").removeAttribute("value");
  else at("progress").value = share ?? 0;
}

async function picture(about, blob) {
  if (about.generation !== link.generation) return;
  const bitmap = await createImageBitmap(blob);
  const canvas = at("picture");
  const pen = canvas.getContext("2d");
  pen.clearRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  canvas.dataset.generation = about.generation;
  canvas.dataset.quality = about.quality;
  status(about.quality === "whole" ? "finished" : "sketch");
}

function message(said) {
  if (said.error) {
    toast(said.error, true);
    status("not possible");
  }
  if (said.values && said.generation === link.generation) {
    resolved = said.values;
    show({ ...resolved, ...history.state }, history.state);
  }
  if (said.what) status(said.what, said.progress);
}

const link = new Link({
  message,
  picture,
  state: (open) => status(open ? "connected" : "the studio does not answer; is it still running?"),
});

const history = new History({ like: "ava" }, (state) => {
  at("undo").disabled = history.past.length === 0;
  at("redo").disabled = history.future.length === 0;
  show({ ...resolved, ...state }, state);
  ask();
});

function ask() {
  link.ask({ values: history.state, ...view });
}

// A slider on the move asks once a frame at most.
let waiting = false;
function askSoon() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => {
    waiting = false;
    ask();
  });
}

async function answer(path, options = {}) {
  const response = await fetch(new URL(path, location.href), options).catch(() => null);
  if (response === null) throw new Error("the studio does not answer; is it still running?");
  if (response.ok) return response;
  const text = await response.text();
  let said = text.trim();
  try {
    said = JSON.parse(text).error;
  } catch {}
  throw new Error(said);
}

function wanted() {
  return { values: history.state, ...view, name: at("name").value };
}

async function save(kind, button) {
  button.disabled = true;
  status(`exporting: ${button.textContent}`, -1);
  try {
    const body = JSON.stringify(kind === "persona" ? { ...wanted(), voice: at("voice").value } : wanted());
    const response = await answer(`export/${kind}`, { method: "POST", body });
    if (kind === "persona") {
      const made = await response.json();
      toast(`Made ${made.made.join(" and ")}. Let it speak: ${made.say}`);
    } else {
      const address = URL.createObjectURL(await response.blob());
      element("a", { href: address, download: `${at("name").value}.${kind}` }).click();
      setTimeout(() => URL.revokeObjectURL(address), 60000);
      toast(`Saved ${at("name").value}.${kind}`);
    }
    status("finished");
  } catch (error) {
    toast(error.message, true);
    status("not possible");
  } finally {
    button.disabled = false;
  }
}

function presets(schema) {
  const names = schema.presets.map((preset) => preset.name);
  const about = (name) => {
    const { years, words } = schema.presets.find((preset) => preset.name === name);
    return { title: `${name}, ${years}, ${words}` };
  };
  const pick = radios("Begin with", names, (name) => history.push({ like: name }), about);
  pick.box.className = "presets";
  for (const button of pick.box.children) {
    button.prepend(element("img", { src: new URL(`presets/${button.textContent}`, location.href), alt: "", loading: "lazy" }));
  }
  at("controls").prepend(element("details", { open: true }, element("summary", { textContent: "presets" }), pick.box));
  return pick.show;
}

function stage(schema) {
  const pose = radios("Pose", schema.poses, (name) => {
    view.pose = name;
    pose.show(name);
    ask();
  });
  pose.show(view.pose);
  at("poses").replaceWith(pose.box);
  Object.assign(at("yaw"), { min: -schema.yaw, max: schema.yaw, value: 0 });
  at("yaw").addEventListener("input", () => {
    view.yaw = Number(at("yaw").value);
    at("yaw-value").textContent = `${view.yaw}°`;
    askSoon();
  });
  for (const [name, title] of Object.entries(schema.voices)) {
    at("voice").append(element("option", { value: name, textContent: `${name} (${title})` }));
  }
}

function background(schema) {
  const own = element("input", { type: "color", id: "f-background", value: "#00b140", title: "A plain colour" });
  const choose = (name) => {
    view.background = name;
    pick.show(name);
    ask();
  };
  const pick = radios("Background", schema.backgrounds, choose);
  pick.show(view.background);
  own.addEventListener("input", () => choose(own.value));
  const label = element("label", { htmlFor: "f-background", textContent: "plain colour " }, own);
  pick.box.append(label);
  const group = element("div", { className: "group" }, pick.box);
  at("controls").append(element("details", { open: true }, element("summary", { textContent: "background" }), group));
}

async function begin() {
  const schema = await (await answer("schema.json")).json();
  stage(schema);
  const showFields = build(at("controls"), schema, {
    set: (key, value) => history.push({ ...history.state, [key]: value }, key),
    settle: () => history.settle(),
    reset: (key) => {
      const { [key]: _, ...rest } = history.state;
      history.push(rest);
    },
  });
  const showPresets = presets(schema);
  background(schema);
  show = (values, own) => {
    showFields(values, own);
    showPresets(own.like);
  };
  history.changed(history.state);
}

at("undo").addEventListener("click", () => history.undo());
at("redo").addEventListener("click", () => history.redo());
at("random").addEventListener("click", async () => {
  const seed = crypto.getRandomValues(new Uint32Array(1))[0];
  try {
    history.push(await (await answer(`random/${seed}`)).json());
  } catch (error) {
    toast(error.message, true);
  }
});
at("export").addEventListener("submit", (event) => {
  event.preventDefault();
  save(event.submitter.value, event.submitter);
});
document.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.target === at("name")) return;
  const key = event.key.toLowerCase();
  if (key !== "z" && key !== "y") return;
  event.preventDefault();
  if (key === "y" || event.shiftKey) history.redo();
  else history.undo();
});

begin().catch((error) => toast(error.message, true));
