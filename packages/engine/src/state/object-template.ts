import { type TemplateLimits, TemplateList } from '@terrane/cty';
import type { JsonBytes } from './json-bytes.ts';
import { MAX_TEMPLATE_LENGTH, type ObjectFields, TEMPLATE_BITS } from './object-fields.ts';

/*
 * Most objects of a large state file differ from another one in a few strings and numbers only. A template is such an
 * object: what lies between these is compared with the bytes of the next object, which neither has to be validated nor
 * searched for members again. An object that differs in anything else is read member by member, so that templates affect
 * neither positions nor errors.
 */

const LIMITS: TemplateLimits = { templates: 8, credit: 100 };

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;

/** The templates of the objects of a buffer. */
export class ObjectTemplates {
  readonly #list = new TemplateList<ObjectTemplate>(LIMITS);

  /**
   * Finds the members of the object at `at` if it differs from a template only in strings and numbers; otherwise returns
   * false. Throws JsonSyntaxError for such a string or number.
   */
  read(json: JsonBytes, at: number, fields: ObjectFields): boolean {
    const { templates } = this.#list;
    for (let i = 0; i < templates.length; i++) {
      if (!(templates[i] as ObjectTemplate).read(json, at, fields)) continue;
      this.#list.matched(i);
      return true;
    }
    return false;
  }

  /** Makes a template of an object whose members were found, if it can be expected to save more than it costs. */
  add(json: JsonBytes, at: number, fields: ObjectFields): void {
    if (fields.irregular || fields.end - at >= MAX_TEMPLATE_LENGTH) return;
    this.#list.add(() => new ObjectTemplate(json, at, fields));
  }
}

/** An object whose strings, except names, and numbers vary. Positions are relative to its start. */
class ObjectTemplate {
  readonly #bytes: Uint8Array;
  /** compares four bytes at a time */
  readonly #view: DataView;
  /** the start of the content of each variable part, and the end of the object */
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  /** the difference between positions of the object read last and those of the template, for each fixed part */
  readonly #shifts: number[] = [];
  readonly #isAscii: boolean;
  /** positions in fixed parts: the position in the template, and above it the number of the part */
  readonly #fields: Readonly<ObjectFields>;

  constructor(json: JsonBytes, at: number, fields: ObjectFields) {
    const { end } = fields;
    // `slice` of a `Buffer` would not copy.
    this.#bytes = new Uint8Array(json.bytes.subarray(at, end));
    this.#view = new DataView(this.#bytes.buffer);
    this.#isAscii = this.#bytes.every((byte) => byte < 0x80);
    for (let i = at; i < end;) {
      const c = json.bytes[i] ?? 0;
      if (c === QUOTE) {
        const after = json.string(i);
        if (json.bytes[json.space(after)] !== COLON) this.#addVariable(i + 1 - at, after - 1 - at);
        i = after;
      } else if (isNumberStart(c)) {
        const after = json.value(i);
        this.#addVariable(i - at, after - at);
        i = after;
      } else i++;
    }
    this.#starts.push(end - at);
    this.#fields = fields.moved((position) => {
      const relative = position - at;
      const part = this.#ends.findIndex((partEnd) => partEnd > relative);
      return ((part === -1 ? this.#ends.length : part) << TEMPLATE_BITS) | relative;
    });
  }

  #addVariable(start: number, end: number): void {
    this.#starts.push(start);
    this.#ends.push(end);
  }

  read(json: JsonBytes, at: number, fields: ObjectFields): boolean {
    const { bytes, view } = json;
    const sample = this.#bytes;
    const sampleView = this.#view;
    const starts = this.#starts;
    const shifts = this.#shifts;
    const lastPart = starts.length - 1;
    let i = at;
    let s = 0;
    let allBits = 0;
    for (let part = 0; ; part++) {
      const stop = starts[part] as number;
      shifts[part] = i - s;
      if (i + stop - s > bytes.length) return false;
      for (; s + 4 <= stop; s += 4, i += 4) {
        if (view.getInt32(i) !== sampleView.getInt32(s)) return false;
      }
      for (; s < stop; s++, i++) if (bytes[i] !== sample[s]) return false;
      if (part === lastPart) break;
      if (sample[s - 1] === QUOTE) {
        const start = i;
        for (;;) {
          const c = bytes[i] ?? 0;
          if (c === QUOTE) break;
          if (c === BACKSLASH || c < 0x20) {
            i = json.string(start - 1) - 1;
            allBits = 0x80;
            break;
          }
          allBits |= c;
          i++;
        }
      } else {
        if (!isNumberStart(bytes[i] ?? 0)) return false;
        i = json.value(i);
      }
      s = this.#ends[part] as number;
    }
    fields.setShifted(this.#fields, shifts);
    fields.isAscii = this.#isAscii && allBits < 0x80;
    fields.end = i;
    return true;
  }
}

function isNumberStart(c: number): boolean {
  return c === 0x2d || (c >= 0x30 && c <= 0x39);
}
