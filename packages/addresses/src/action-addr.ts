import { compareText } from '@terrane/cty';
import { compareKeys, instanceKeyText, type InstanceKey } from './instance-key.ts';
import { InternTable } from './intern-table.ts';
import { compareModuleInstances, type ModuleInstance, type ModulePath } from './module-path.ts';

/** An action inside its module. Interned. */
export class ActionAddr {
  static readonly #interned: InternTable<string, ActionAddr> = new InternTable();
  readonly type: string;
  readonly name: string;
  /** "action.local_command.x" */
  readonly text: string;

  private constructor(type: string, name: string, text: string) {
    this.type = type;
    this.name = name;
    this.text = text;
  }

  static of(type: string, name: string): ActionAddr {
    const text = `action.${type}.${name}`;
    let interned = ActionAddr.#interned.get(text);
    if (interned === undefined) {
      interned = new ActionAddr(type, name, text);
      ActionAddr.#interned.set(text, interned);
    }
    return interned;
  }

  /** Local name of the provider that the type's prefix implies. */
  get impliedProvider(): string {
    const underscore = this.type.indexOf('_');
    return underscore === -1 ? this.type : this.type.slice(0, underscore);
  }

  /** Returns the address in the static module tree, without keys: "module.a.action.t.n". */
  inModule(path: ModulePath): string {
    return path.isRoot ? this.text : `${path.text}.${this.text}`;
  }

  toString(): string {
    return this.text;
  }
}

/** An instance of an action in a module instance. Not interned: compare by `text`. */
export class ActionInstanceAddr {
  readonly module: ModuleInstance;
  readonly action: ActionAddr;
  readonly key: InstanceKey;
  /** "module.a[0].action.t.n[\"k\"]" */
  readonly text: string;

  constructor(module: ModuleInstance, action: ActionAddr, key: InstanceKey) {
    this.module = module;
    this.action = action;
    this.key = key;
    const localText = action.text + (key === undefined ? '' : instanceKeyText(key));
    this.text = module.isRoot ? localText : `${module.text}.${localText}`;
  }

  /** The address of the action in its module instance, without its own key. */
  get wholeText(): string {
    return this.module.isRoot ? this.action.text : `${this.module.text}.${this.action.text}`;
  }

  toString(): string {
    return this.text;
  }
}

/** Order of action instances: module instance, type, name, key. */
export function compareActionInstances(a: ActionInstanceAddr, b: ActionInstanceAddr): number {
  return (
    compareModuleInstances(a.module, b.module) ||
    compareText(a.action.type, b.action.type) ||
    compareText(a.action.name, b.action.name) ||
    compareKeys(a.key, b.key)
  );
}
