import type { Json } from './json-value.ts';

type Entries = Readonly<Record<string, Json>>;

/**
 * Private data is stored in the format of terraform-plugin-framework: an object of base64 strings. Data of other
 * providers in other formats is ignored.
 */
function readPrivate(data: Uint8Array | undefined): Entries {
  const texts = data === undefined ? undefined : storedTexts(data);
  if (texts === undefined) return {};
  const entries: Record<string, Json> = {};
  for (const [name, text] of Object.entries(texts)) {
    try {
      // JSON.parse returns JSON.
      entries[name] = JSON.parse(Buffer.from(text, 'base64').toString()) as Json;
    } catch {
      // An entry of another provider is ignored.
    }
  }
  return entries;
}

/** Returns true if private data is in the form that is written here. */
export function isPrivateData(data: Uint8Array): boolean {
  return storedTexts(data) !== undefined;
}

/** Private data with some entries changed; undefined drops one. */
function changePrivate(
  data: Uint8Array | undefined,
  changes: Readonly<Record<string, Json | undefined>>,
): Uint8Array {
  const texts: Record<string, string> = { ...(data && storedTexts(data)) };
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) delete texts[name];
    else texts[name] = Buffer.from(JSON.stringify(value)).toString('base64');
  }
  return Buffer.from(JSON.stringify(texts));
}

function storedTexts(data: Uint8Array): Readonly<Record<string, string>> | undefined {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(data).toString());
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return undefined;
    return isOfTexts(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function isOfTexts(parsed: object): parsed is Readonly<Record<string, string>> {
  return Object.values(parsed).every(
    (value) =>
      typeof value === 'string' && Buffer.from(value, 'base64').toString('base64') === value,
  );
}

/** Private data while a handler may change it. */
export class PrivateState {
  #data: Uint8Array | undefined;

  constructor(data: Uint8Array | undefined) {
    this.#data = data;
  }

  /** the current entries */
  get entries(): Entries {
    return readPrivate(this.#data);
  }

  readonly change = (changes: Readonly<Record<string, Json | undefined>>): void => {
    this.#data = changePrivate(this.#data, changes);
  };

  /** returns the private data part of a response */
  get answer(): { readonly private?: Uint8Array } {
    return this.#data === undefined ? {} : { private: this.#data };
  }
}
