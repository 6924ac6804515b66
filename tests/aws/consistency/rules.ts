// The data model of the consistency rules: what each resource type retries and waits for. The tests and the
// documentation page are generated from the same rules, so that they cannot contradict each other.
import type { Written } from '@terrane/provider/testing';
import type { AwsFailure } from '../aws-answer.ts';
import type { Fault, FaultProxy } from '../fault-proxy.ts';
import type { Actors } from '../moto-world.ts';

/** A source file of the published provider that a comparison is based on. */
export interface Source {
  /** relative to internal/service: "ec2/wait.go" */
  readonly file: string;
  /** the commit of hashicorp/terraform-provider-aws at which the file was read; undefined: see `release` */
  readonly commit?: string;
  /** the major release of the text, where it was read without knowing its commit */
  readonly release?: '5' | '6';
}

/** The operation on a resource during which a rule applies. */
export type Step = 'create' | 'read' | 'update' | 'delete';

/** A test object of a resource type. */
export interface Subject {
  /** creates prerequisites; returns arguments that refer to them */
  readonly prepare?: (actors: Actors, name: string) => Promise<Written>;
  readonly written: (name: string) => Written;
  /** the configuration of an update; required for rules of the `update` step */
  readonly updated?: (name: string) => Written;
  /** adds answers that the test server lacks */
  readonly answers?: (proxy: FaultProxy, name: string) => void;
}

interface RuleBase {
  readonly step: Step;
  /** the signing name of the service: "ec2" */
  readonly service: string;
  /** "RunInstances"; a regular expression for REST protocols, which then needs a `label` */
  readonly operation: string | RegExp;
  /** the name of the operation on the documentation page */
  readonly label?: string;
  /** text in the URL or body that selects a subset of the requests */
  readonly about?: string | RegExp;
  /** how many matching requests succeed before the fault */
  readonly after?: number;
  /** the limit without a `timeouts` block, in milliseconds */
  readonly limit: number;
  /** replaces the subject of the resource type for this rule */
  readonly subject?: Partial<Subject>;
  /** how the published provider differs, and why; absent: it does the same */
  readonly difference?: string;
}

/** Errors that are retried until the limit. */
export interface RetryRule extends RuleBase {
  readonly kind: 'retry';
  /** the message is part of the condition unless `anyMessage` is set */
  readonly errors: readonly (AwsFailure & { readonly anyMessage?: boolean })[];
}

/** An object that is polled until it reaches a state, has a value or is gone. */
export interface WaitRule extends RuleBase {
  readonly kind: 'wait';
  /** states in which the wait continues; empty: every state but the target */
  readonly pending: readonly string[];
  /** empty: the object is gone */
  readonly target: readonly string[];
  /** edits the body of an answer so that it reports a state */
  readonly show: (body: string, state: string) => string;
  /** the HTTP status of answers that report a state; default: that of the test server */
  readonly status?: number;
  /** a state that ends the wait, and the reason that the error has to contain */
  readonly unexpected?: {
    readonly state: string;
    readonly show?: (body: string, state: string) => string;
    readonly reason?: string;
  };
  /** the error with which the service says that the object does not exist yet */
  readonly missing?: AwsFailure;
  /** how often in a row the target has to be observed; default 1 */
  readonly matches?: number;
  /** milliseconds before the first poll; default 0 */
  readonly delay?: number;
  /** shortest milliseconds between polls; default: back-off from 200 ms to 10 s */
  readonly interval?: number;
  /** the error message of a wait that takes too long contains this; default: "timeout while waiting" */
  readonly timeoutMessage?: RegExp;
}

/** An error that an operation takes for success. */
export interface IgnoreRule extends RuleBase {
  readonly kind: 'ignore';
  readonly errors: readonly AwsFailure[];
}

export type Rule = RetryRule | WaitRule | IgnoreRule;

/** The rules of one resource type. */
export interface TypeRules {
  /** "aws_vpc" */
  readonly type: string;
  readonly sources: readonly Source[];
  readonly subject: Subject;
  readonly rules: readonly Rule[];
  /** why there are no rules, or what else the page has to say of the type */
  readonly note?: string;
}

/** The rules of the resource types of a service. */
export interface ServiceRules {
  /** "EC2" */
  readonly service: string;
  readonly types: readonly TypeRules[];
}

/** Adds the fault of a rule to a proxy. */
export type AddFault = (proxy: FaultProxy, name: string) => Fault;

/** The operation of a rule, as the page and the test names call it. */
export function operationLabel({ operation, label }: Rule): string {
  if (label !== undefined) return label;
  if (typeof operation === 'string') return operation;
  throw new Error(`the rule for ${operation.source} has no label`);
}

/** Shows a state in the elements of an XML answer with that name. */
export function xmlElement(name: string): WaitRule['show'] {
  const pattern = new RegExp(`<${name}>[^<]*</${name}>`, 'g');
  return (body, state) => body.replaceAll(pattern, `<${name}>${state}</${name}>`);
}

/** Shows a state in the members of a JSON answer with that name. */
export function jsonMember(name: string): WaitRule['show'] {
  const pattern = new RegExp(`"${name}": ?"[^"]*"`, 'g');
  return (body, state) => body.replaceAll(pattern, `"${name}": "${state}"`);
}
