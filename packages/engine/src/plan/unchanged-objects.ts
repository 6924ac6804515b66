import {
  Bug,
  decodeMsgpack,
  MsgpackBuffer,
  type PathMarks,
  pathKey,
  type Type,
  type Value,
} from '@terrane/cty';
import type { Resource } from '../config/model.ts';
import type { Program } from '../evaluate/program.ts';
import { unreadResources } from '../evaluate/unread-resources.ts';
import type { PlannedChange } from '../objects/change.ts';

/** Number of unchanged objects of a plan whose values stay decoded: few plans have more. */
const DECODED_OBJECTS = 10_000;

const BUFFER_BYTES = 1 << 20;
/** Free bytes below which a buffer counts as full, so that few values make one grow. */
const RESERVED_BYTES = 1 << 12;

/** Size of the number of a shape, before each value. */
const SHAPE_BYTES = 2;
const MAX_SHAPES = 2 ** (8 * SHAPE_BYTES);

/** Property of a packed change: the position of its value. */
const POSITION: unique symbol = Symbol('position');

interface PackedChange {
  readonly [POSITION]: number;
}

/** The type and marks of values. Most objects of a resource have the same. */
interface Shape {
  readonly type: Type;
  readonly paths: readonly PathMarks[];
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * The unchanged objects of a plan. A large plan has the values of most of them in MessagePack, in a few buffers, and
 * decodes them when they are read: a plan retains a change for each object, but only its JSON form and its file contain
 * the values of unchanged ones, which take several times the memory of the rest.
 */
export class UnchangedObjects {
  readonly #program: Program;
  readonly #decodedObjects: number;
  #count = 0;
  #unread: ReadonlySet<Resource> | undefined;
  readonly #buffers: MsgpackBuffer[] = [];
  readonly #shapes: Shape[] = [];
  /** positions in the list of shapes, by type and by the text of the marks */
  readonly #shapeNumbers = new Map<Type, Map<string, number>>();
  #lastPosition = -1;
  #lastValue: Value | undefined;
  /** the property `before`, and `after` */
  readonly #lazyValue: PropertyDescriptor;

  /** @param decodedObjects number of objects whose values stay decoded */
  constructor(program: Program, decodedObjects: number = DECODED_OBJECTS) {
    this.#program = program;
    this.#decodedObjects = decodedObjects;
    const read = (position: number): Value => this.#read(position);
    // Own properties, so that a copy of the change has them. All changes share the function, and thus a hidden class.
    this.#lazyValue = {
      get(this: PackedChange): Value {
        return read(this[POSITION]);
      },
      enumerable: true,
      configurable: true,
    };
  }

  /**
   * Returns the change to retain: one with the same content that decodes its values when they are read, if the plan is
   * large and no expression of the configuration refers to the resource; otherwise the change itself.
   */
  retain(resource: Resource, change: PlannedChange): PlannedChange {
    if (change.action !== 'no-op') return change;
    if (this.#count < this.#decodedObjects) {
      this.#count++;
      return change;
    }
    const { before } = change;
    const isPlain =
      before === change.after &&
      change.deposed === undefined &&
      change.reason === undefined &&
      change.disabledModule === undefined &&
      change.importing === undefined &&
      change.generatedConfig === undefined;
    return isPlain && this.#isUnread(resource) ? this.#packed(change) : change;
  }

  /** Returns the value of a change if it is decoded when it is read; otherwise undefined. */
  valueOf(change: PlannedChange | undefined): Value | undefined {
    return change !== undefined && POSITION in change ? change.after : undefined;
  }

  #isUnread(resource: Resource): boolean {
    this.#unread ??= new Set([...unreadResources(this.#program)].map((node) => node.resource));
    return this.#unread.has(resource);
  }

  #packed(change: PlannedChange): PlannedChange {
    const position = this.#write(change.before);
    if (position === undefined) return change;
    const { addr, previousAddr, provider, action, schemaVersion, requiredReplace } = change;
    const packed: Mutable<Omit<PlannedChange, 'before' | 'after'>> & PackedChange = {
      addr,
      previousAddr,
      provider,
      action,
      schemaVersion,
      requiredReplace,
      [POSITION]: position,
    };
    if (change.private !== undefined) packed.private = change.private;
    if (change.beforeIdentity !== undefined) packed.beforeIdentity = change.beforeIdentity;
    if (change.afterIdentity !== undefined) packed.afterIdentity = change.afterIdentity;
    // Two calls take less than half of the time of `defineProperties`.
    Object.defineProperty(packed, 'before', this.#lazyValue);
    Object.defineProperty(packed, 'after', this.#lazyValue);
    // The type does not include the properties that were added.
    return packed as PlannedChange & PackedChange;
  }

  /** Writes the number of a value's shape, and the value without marks. Returns the position; undefined after too many shapes. */
  #write(value: Value): number | undefined {
    let plain = value;
    let paths: readonly PathMarks[] = [];
    if (value.containsMarked()) ({ value: plain, paths } = value.unmarkDeepWithPaths());
    const shape = this.#shapeNumber(plain.type, paths);
    if (shape === undefined) return undefined;
    let buffer = this.#buffers.at(-1);
    // Every value starts within the first megabyte of its buffer, so that positions are unambiguous.
    if (buffer === undefined || buffer.length > BUFFER_BYTES - RESERVED_BYTES) {
      buffer = new MsgpackBuffer(BUFFER_BYTES);
      this.#buffers.push(buffer);
    }
    const start = buffer.length;
    buffer.append(shape, plain, plain.type);
    return (this.#buffers.length - 1) * BUFFER_BYTES + start;
  }

  #shapeNumber(type: Type, paths: readonly PathMarks[]): number | undefined {
    let numbers = this.#shapeNumbers.get(type);
    if (numbers === undefined) this.#shapeNumbers.set(type, (numbers = new Map()));
    const key =
      paths.length === 0
        ? ''
        : paths.map(({ path, marks }) => JSON.stringify([pathKey(path), ...marks])).join('\n');
    let shape = numbers.get(key);
    if (shape === undefined) {
      if (this.#shapes.length === MAX_SHAPES) return undefined;
      shape = this.#shapes.push({ type, paths }) - 1;
      numbers.set(key, shape);
    }
    return shape;
  }

  #read(position: number): Value {
    // Readers compare before and after, which are the same value.
    if (position === this.#lastPosition && this.#lastValue !== undefined) return this.#lastValue;
    const buffer = this.#buffers[Math.floor(position / BUFFER_BYTES)]?.bytes;
    const start = position % BUFFER_BYTES;
    const shape = this.#shapes[(buffer?.[start] ?? 0) * 256 + (buffer?.[start + 1] ?? 0)];
    if (buffer === undefined || shape === undefined) throw new Bug('no packed value there');
    const plain = decodeMsgpack(buffer.subarray(start + SHAPE_BYTES), shape.type);
    this.#lastValue = shape.paths.length === 0 ? plain : plain.markWithPaths(shape.paths);
    this.#lastPosition = position;
    return this.#lastValue;
  }
}
