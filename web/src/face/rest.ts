/** A face while no server moves it: it breathes, blinks, and looks at you. */
import { type Row, row } from "./row";

const BLINK_MS = 180;

export class Rest {
  private blink = 2500;

  constructor(private readonly still = false) {}

  /** The row at `now` (ms). */
  at(now: number): Row {
    if (this.still) return row({ weights: SMILE });
    if (now > this.blink + BLINK_MS) this.blink = now + 2200 + 3500 * Math.random();
    const shut = Math.max(0, 1 - Math.abs((now - this.blink) / (BLINK_MS / 2) - 1));
    const breath = Math.sin(now / 1300);
    return row({
      weights: { ...SMILE, eyeBlinkLeft: shut, eyeBlinkRight: shut },
      head: [0.025 * Math.sin(now / 3700), 0.008 * breath, 0.012 * Math.sin(now / 4900)],
    });
  }
}

const SMILE = { mouthSmileLeft: 0.18, mouthSmileRight: 0.18, cheekSquintLeft: 0.06, cheekSquintRight: 0.06 };
