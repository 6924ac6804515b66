import { ProviderError } from '../sdk/provider-error.ts';
import { errorText } from '@terrane/host';

/** A failed operation on an object of a remote system. The message names the operation, the object and the cause. */
export class OperationError extends ProviderError {
  /** "creating", "reading", "waiting for" */
  readonly operation: string;
  /** "SQS Queue" */
  readonly type: string;
  readonly id: string;

  constructor(options: {
    readonly operation: string;
    readonly type: string;
    readonly id: string;
    /** the event that is awaited: "creation" */
    readonly what?: string;
    readonly cause: unknown;
  }) {
    const { operation, type, id, what: subject = '', cause } = options;
    const path = cause instanceof ProviderError ? cause.diagnostics[0]?.attribute : undefined;
    const object = `${type} (${id})${subject === '' ? '' : ` ${subject}`}`;
    super(`${operation} ${object}`, errorText(cause), path, { cause });
    this.name = 'OperationError';
    this.operation = operation;
    this.type = type;
    this.id = id;
  }
}
