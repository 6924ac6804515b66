// Replacements of Node modules that need a machine: every function throws, and nothing should call one.
import { NotInBrowser } from '../not-in-browser.ts';

const unavailable = (): never => {
  throw new NotInBrowser('Files, programs and servers of this machine');
};

export const existsSync = (): boolean => false;
export const closeSync: () => never = unavailable;
export const openSync: () => never = unavailable;
export const readFileSync: () => never = unavailable;
export const readdirSync: () => never = unavailable;
export const realpathSync: () => never = unavailable;
export const statSync: () => undefined = () => undefined;
export const writeSync: () => never = unavailable;
export const nodeHost: () => never = unavailable;
export const ownProcess: () => never = unavailable;
