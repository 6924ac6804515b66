import type {
  ActionBlock,
  Check,
  CheckRule,
  Local,
  Module,
  ModuleCall,
  Output,
  ProviderBlock,
  Resource,
  Variable,
} from '../config/model.ts';

/**
 * A unit of evaluation, ordering and cycle detection: one declaration of the configuration, evaluated once for every
 * instance of its module. Nodes do not depend on instance keys.
 */
export type ProgramNode =
  | VariableNode
  | ValidationNode
  | LocalNode
  | OutputNode
  | CallNode
  | ResourceNode
  | ActionNode
  | ProviderNode
  | CheckNode
  | ModuleEndNode
  | CloseNode;

interface NodeBase {
  /** Position in `Program.nodes`. */
  readonly id: number;
  /** The module that declares it. */
  readonly module: Module;
  /** The name of the node in Terraform's report of a cycle. */
  readonly text: string;
}

/** An input variable. */
export interface VariableNode extends NodeBase {
  readonly kind: 'variable';
  readonly variable: Variable;
}

/** The validation rules of a variable, which may refer to other objects than the variable. */
export interface ValidationNode extends NodeBase {
  readonly kind: 'validation';
  readonly variable: Variable;
  readonly rules: readonly CheckRule[];
}

/** A local value. */
export interface LocalNode extends NodeBase {
  readonly kind: 'local';
  readonly local: Local;
}

/** An output value. */
export interface OutputNode extends NodeBase {
  readonly kind: 'output';
  readonly output: Output;
}

/** A module call, which determines the instances of the child module. `module` is the caller. */
export interface CallNode extends NodeBase {
  readonly kind: 'call';
  readonly call: ModuleCall;
  readonly child: Module;
}

/** A resource of any mode, which determines its instances and evaluates each of them. */
export interface ResourceNode extends NodeBase {
  readonly kind: 'resource';
  readonly resource: Resource;
}

/** An action, which determines its instances. Its configuration is evaluated for each invocation. */
export interface ActionNode extends NodeBase {
  readonly kind: 'action';
  readonly action: ActionBlock;
}

/** A provider configuration. */
export interface ProviderNode extends NodeBase {
  readonly kind: 'provider';
  readonly provider: ProviderBlock;
}

/** The assertions of a check block. */
export interface CheckNode extends NodeBase {
  readonly kind: 'check';
  readonly check: Check;
}

/** The point at which a module and its descendants are complete. */
export interface ModuleEndNode extends NodeBase {
  readonly kind: 'moduleEnd';
}

/** The point after the last use of an ephemeral resource. */
export interface CloseNode extends NodeBase {
  readonly kind: 'close';
  readonly resource: Resource;
  /** The provider configurations that depend on it: the resources that they serve use it too. */
  readonly providers: readonly ProviderNode[];
}
