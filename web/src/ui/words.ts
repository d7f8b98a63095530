/** The page's own words, in English and Chinese. */
const EN = {
  title: "Talk with {name}",
  invite: "Ask with your voice or your keyboard. You may interrupt at any time.",
  start: "Start talking",
  type: "Type instead",
  privacy: "Your microphone is used only while this page is open. What you say goes to this server, and nowhere else.",
  loading: "One moment",
  connecting: "Connecting",
  listening: "Listening",
  hearing: "I hear you",
  thinking: "Thinking",
  speaking: "Speaking",
  ready: "Ready",
  lost: "Connection lost. Coming back",
  busy: "All places are taken. Trying again",
  replaced: "This conversation went on in another window.",
  refused: "This page may not talk to the server. Open it again with a valid link.",
  draining: "The server restarts soon.",
  handOver: "A colleague is taking over. Please stay here.",
  denied: "The microphone is blocked. Allow it in the browser's address bar, or type.",
  missing: "No microphone was found. Plug one in, or type.",
  taken: "Another program uses the microphone. Close it, or type.",
  insecure: "Browsers give the microphone to secure pages only. Open this one by https or on localhost, or type.",
  unplugged: "The microphone is gone. Plug it in and switch it on again, or type.",
  nowebgl: "This browser can not draw in 3D, so the picture comes from the server.",
  nohead: "The picture could not be loaded. You can talk all the same.",
  noserver: "The server does not answer. Reload the page in a moment.",
  nosound: "This browser can not play the answer. Use a current Chrome, Edge, Firefox or Safari.",
  again: "Try again",
  close: "Close",
  persona: "Who",
  language: "Language",
  details: "Details",
  mic: "Microphone",
  micOn: "Microphone is on",
  micOff: "Microphone is off",
  hold: "Hold to talk",
  ptt: "Push to talk",
  pttHint: "Hold the space bar, or the round button, while you speak.",
  stop: "Stop the answer",
  ask: "Your question",
  askHint: "Type a question",
  send: "Send",
  transcript: "Conversation",
  empty: "Nothing was said yet.",
  you: "You",
  latency: "Time to the last answer",
  latencyNone: "Shown after the first answer.",
  sync: "Face against sound",
  rate: "Pictures a second",
  playout: "Network and playout",
  underruns: "Gaps in sound",
  pause: "Silence noticed",
  words: "Words known",
  understanding: "Understood",
  breath: "First sentence",
  endpoint: "Turn over",
  sound: "Sound and face",
  sent: "Sent",
  picture: "{name}, as seen on a video call",
};

export type Word = keyof typeof EN;

const ZH: Record<Word, string> = {
  title: "与{name}交谈",
  invite: "您可以说话，也可以打字；随时可以打断。",
  start: "开始交谈",
  type: "改用打字",
  privacy: "只有在打开本页时才使用麦克风。您说的话只传到本服务器，不会传往别处。",
  loading: "请稍候",
  connecting: "正在连接",
  listening: "请讲",
  hearing: "正在听",
  thinking: "正在思考",
  speaking: "正在回答",
  ready: "就绪",
  lost: "连接中断，正在恢复",
  busy: "席位已满，正在重试",
  replaced: "这次谈话已在另一个窗口继续。",
  refused: "本页无权连接服务器，请用有效的链接重新打开。",
  draining: "服务器即将重启。",
  handOver: "正在为您转接同事，请稍候。",
  denied: "麦克风被禁用。请在浏览器地址栏中允许使用，或改用打字。",
  missing: "没有找到麦克风。请接上麦克风，或改用打字。",
  taken: "麦克风正被其他程序占用。请关闭该程序，或改用打字。",
  insecure: "浏览器只向安全的网页开放麦克风。请用 https 或 localhost 打开本页，或改用打字。",
  unplugged: "麦克风已断开。请接上后重新打开，或改用打字。",
  nowebgl: "此浏览器无法绘制三维画面，画面由服务器提供。",
  nohead: "画面未能载入，但仍可交谈。",
  noserver: "服务器没有回应，请稍后重新载入。",
  nosound: "此浏览器无法播放回答，请使用新版 Chrome、Edge、Firefox 或 Safari。",
  again: "重试",
  close: "关闭",
  persona: "人物",
  language: "语言",
  details: "详情",
  mic: "麦克风",
  micOn: "麦克风已打开",
  micOff: "麦克风已关闭",
  hold: "按住说话",
  ptt: "按键说话",
  pttHint: "说话时请按住空格键或圆形按钮。",
  stop: "停止回答",
  ask: "您的问题",
  askHint: "输入问题",
  send: "发送",
  transcript: "谈话记录",
  empty: "还没有谈话。",
  you: "您",
  latency: "上一次回答的用时",
  latencyNone: "第一次回答后显示。",
  sync: "口型与声音之差",
  rate: "每秒画面数",
  playout: "网络与播放",
  underruns: "声音中断",
  pause: "发现停顿",
  words: "识别完毕",
  understanding: "理解完毕",
  breath: "首句写成",
  endpoint: "确认说完",
  sound: "声音与面部",
  sent: "发出",
  picture: "{name}的视频画面",
};

const TABLES: Record<string, Record<Word, string>> = { en: EN, zh: ZH };

export const LANGUAGES = Object.keys(TABLES);

let language = "en";

export function speak(wanted: string): void {
  language = wanted in TABLES ? wanted : "en";
  document.documentElement.lang = language === "zh" ? "zh-Hans" : language;
}

export function say(word: Word, values: Record<string, string> = {}): string {
  return TABLES[language]![word].replace(/\{(\w+)\}/g, (_, key: string) => values[key] ?? "");
}

/** Write the words of the page's markup: `data-word` its text, `data-label` and `data-hint` attributes. */
export function write(values: Record<string, string>): void {
  const each = (name: string, put: (on: HTMLElement, word: string) => void) =>
    document.querySelectorAll<HTMLElement>(`[data-${name}]`).forEach((on) => put(on, say(on.dataset[name] as Word, values)));
  each("word", (on, word) => (on.textContent = word));
  each("label", (on, word) => (on.ariaLabel = on.title = word));
  each("hint", (on, word) => on.setAttribute("placeholder", word));
  document.title = `${values.name ?? "mien"} · mien`;
}
