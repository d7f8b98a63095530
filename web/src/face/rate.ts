/** The face's frames on the session's clock. */
import { CLOCK_HZ } from "../audio/sinc";

export const FRAME_HZ = 60;
export const FRAME = CLOCK_HZ / FRAME_HZ; // samples
