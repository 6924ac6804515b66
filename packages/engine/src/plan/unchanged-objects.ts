import type { InstanceAddr } from '@terrane/addresses';
import {
  Bug,
  decodeMsgpack,
  jsonSourceOf,
  MsgpackBuffer,
  type PathMarks,
  pathKey,
  type Type,
  type Value,
  valueFromJson,
} from '@terrane/cty';
import type { Resource } from '../config/model.ts';
import type { Program } from '../evaluate/program.ts';
import { unreadResources } from '../evaluate/unread-resources.ts';
import type { PlannedChange } from '../objects/change.ts';
import type { State } from '../state/model.ts';

/** Number of unchanged objects of a plan whose values stay decoded: few plans have more. */
const DECODED_OBJECTS = 10_000;

const BUFFER_BYTES = 1 << 20;
/** Free bytes below which a buffer counts as full, so that few values make one grow. */
const RESERVED_BYTES = 1 << 12;

/** Properties of a packed change: where its value is, and what it is decoded by. */
const POSITION: unique symbol = Symbol('position');
const SHAPE: unique symbol = Symbol('shape');

interface PackedChange {
  readonly addr: InstanceAddr;
  /** of the value in the buffers; -1: the value is that of the object in the prior state */
  readonly [POSITION]: number;
  readonly [SHAPE]: Shape;
}

/** The type and marks of values. Most objects of a resource have the same. */
interface Shape {
  readonly type: Type;
  readonly paths: readonly PathMarks[];
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * The unchanged objects of a plan. A large plan decodes the values of most of them when they are read: a plan retains a
 * change for each object, but only its JSON form and its file contain the values of unchanged ones, which take several
 * times the memory of the rest. A value without marks that was decoded from the text in the state is decoded from it
 * again. All others, such as those of plugins, are retained in MessagePack, in a few buffers.
 */
export class UnchangedObjects {
  readonly #program: Program;
  readonly #prior: Pick<State, 'instance'>;
  readonly #decodedObjects: number;
  /** unchanged objects whose values stay decoded */
  #count = 0;
  /** changes, of unchanged objects and others */
  #recorded = 0;
  #unread: ReadonlySet<Resource> | undefined;
  readonly #buffers: MsgpackBuffer[] = [];
  /** by type and by the text of the marks */
  readonly #shapes = new Map<Type, Map<string, Shape>>();
  #lastRead: PackedChange | undefined;
  #lastValue: Value | undefined;
  /** the property `before`, and `after` */
  readonly #lazyValue: PropertyDescriptor;

  /**
   * @param prior the prior state, which has the objects of the changes as long as the changes are read
   * @param decodedObjects number of objects whose values stay decoded
   */
  constructor(
    program: Program,
    prior: Pick<State, 'instance'>,
    decodedObjects: number = DECODED_OBJECTS,
  ) {
    this.#program = program;
    this.#prior = prior;
    this.#decodedObjects = decodedObjects;
    const read = (packed: PackedChange): Value => this.#read(packed);
    // Own properties, so that a copy of the change has them. All changes share the function, and thus a hidden class.
    this.#lazyValue = {
      get(this: PackedChange): Value {
        return read(this);
      },
      enumerable: true,
      configurable: true,
    };
  }

  /**
   * Returns the change to retain: one with the same content that decodes its values when they are read, if the plan is
   * large and no expression of the configuration refers to the resource; otherwise the change itself. `priorText` is the
   * text of the attributes in the prior state, if it has the object.
   */
  retain(resource: Resource, change: PlannedChange, priorText: string | undefined): PlannedChange {
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
    return isPlain && this.#isUnread(resource) ? this.#packed(change, priorText) : change;
  }

  /**
   * Returns true if the plan is large and no expression of the configuration refers to the resource, so that its values
   * need not be recorded apart from the changes. Called once for each change.
   */
  isReadFromChanges(resource: Resource): boolean {
    this.#recorded++;
    return this.#recorded > this.#decodedObjects && this.#isUnread(resource);
  }

  #isUnread(resource: Resource): boolean {
    this.#unread ??= new Set([...unreadResources(this.#program)].map((node) => node.resource));
    return this.#unread.has(resource);
  }

  #packed(change: PlannedChange, priorText: string | undefined): PlannedChange {
    const { addr, previousAddr, provider, action, schemaVersion, requiredReplace } = change;
    const source = jsonSourceOf(change.before);
    let position = -1;
    let shape: Shape;
    if (source !== undefined && source.json === priorText) shape = this.#shape(source.type, []);
    else {
      const { value, paths } = change.before.unmarkDeepWithPaths();
      position = this.#write(value);
      shape = this.#shape(value.type, paths);
    }
    const packed: Mutable<Omit<PlannedChange, 'before' | 'after'>> & PackedChange = {
      addr,
      previousAddr,
      provider,
      action,
      schemaVersion,
      requiredReplace,
      [POSITION]: position,
      [SHAPE]: shape,
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

  /** Writes a value without marks and returns its position. */
  #write(value: Value): number {
    let buffer = this.#buffers.at(-1);
    // Every value starts within the first megabyte of its buffer, so that positions are unambiguous.
    if (buffer === undefined || buffer.length > BUFFER_BYTES - RESERVED_BYTES) {
      buffer = new MsgpackBuffer(BUFFER_BYTES);
      this.#buffers.push(buffer);
    }
    const start = buffer.length;
    buffer.append(value, value.type);
    return (this.#buffers.length - 1) * BUFFER_BYTES + start;
  }

  #shape(type: Type, paths: readonly PathMarks[]): Shape {
    let shapes = this.#shapes.get(type);
    if (shapes === undefined) this.#shapes.set(type, (shapes = new Map()));
    const key =
      paths.length === 0
        ? ''
        : paths.map(({ path, marks }) => JSON.stringify([pathKey(path), ...marks])).join('\n');
    let shape = shapes.get(key);
    if (shape === undefined) shapes.set(key, (shape = { type, paths }));
    return shape;
  }

  #read(packed: PackedChange): Value {
    // Readers compare before and after, which are the same value.
    if (packed === this.#lastRead && this.#lastValue !== undefined) return this.#lastValue;
    const { type, paths } = packed[SHAPE];
    const plain =
      packed[POSITION] === -1
        ? this.#stored(packed.addr, type)
        : this.#decode(packed[POSITION], type);
    this.#lastRead = packed;
    this.#lastValue = paths.length === 0 ? plain : plain.markWithPaths(paths);
    return this.#lastValue;
  }

  #stored(addr: InstanceAddr, type: Type): Value {
    const text = this.#prior.instance(addr)?.current?.attributesJson;
    if (text === undefined) throw new Bug(`the prior state has no ${addr.text}`);
    return valueFromJson(text, type);
  }

  #decode(position: number, type: Type): Value {
    const buffer = this.#buffers[Math.floor(position / BUFFER_BYTES)]?.bytes;
    if (buffer === undefined) throw new Bug('no packed value there');
    return decodeMsgpack(buffer.subarray(position % BUFFER_BYTES), type);
  }
}
