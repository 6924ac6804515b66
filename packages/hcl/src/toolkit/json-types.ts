/** A JSON value. */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  [name: string]: JsonValue;
}

/** Sets a property of an object under construction; `__proto__` is an ordinary name. */
export function setProperty<T>(target: Record<string, T>, name: string, value: T): void {
  if (name === '__proto__') {
    const descriptor = { value, enumerable: true, configurable: true, writable: true };
    Object.defineProperty(target, name, descriptor);
  } else {
    target[name] = value;
  }
}

/** Returns an own property of an object. */
export function ownProperty<T>(target: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(target, name) ? target[name] : undefined;
}
