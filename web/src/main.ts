/** The page: a person to talk with. */
import { App } from "./app";
import type { Config } from "./protocol/events";
import { page } from "./ui/page";
import { LANGUAGES, say, speak, write } from "./ui/words";

const asked = new URLSearchParams(location.search);
const wish = [asked.get("language"), ...navigator.languages].map((each) => each?.split("-")[0] ?? "");
speak(wish.find((each) => LANGUAGES.includes(each)) ?? "en");

const elements = page();
write({ name: "mien" });
elements.state.textContent = say("loading");
try {
  const told = await fetch("v1/mien/config");
  if (!told.ok) throw new TypeError(told.statusText);
  new App(elements, (await told.json()) as Config, asked).begin();
} catch (error) {
  elements.state.textContent = say("noserver");
  console.warn(error);
}
