import type { Reference } from '@terrane/addresses';
import { type Diagnostic, errorDiagnostic } from '@terrane/hcl';
import { didYouMean } from '../../lang/did-you-mean.ts';

/** Returns the error for an unavailable attribute of `count`, `each`, `path` or `terraform`. */
export function unavailable(reference: Reference): Diagnostic | undefined {
  const { subject, range } = reference;
  switch (subject.kind) {
    case 'count':
      return subject.name === 'index'
        ? errorDiagnostic(
            'Reference to "count" in non-counted context',
            'The "count" object can only be used in "module", "resource", and "data" blocks, and only when the "count" argument is set.',
            range,
          )
        : errorDiagnostic(
            'Invalid "count" attribute',
            `The "count" object does not have an attribute named "${subject.name}". The only supported attribute is count.index, which is the index of each instance of a resource block that has the "count" argument set.`,
            range,
          );
    case 'each':
      return eachUnavailable(subject.name, reference);
    case 'path': {
      const hint = didYouMean(subject.name, ['cwd', 'module', 'root']);
      return errorDiagnostic(
        'Invalid "path" attribute',
        `The "path" object does not have an attribute named "${subject.name}".${hint}`,
        range,
      );
    }
    case 'terraform': {
      const object = subject.alias ?? 'terraform';
      return errorDiagnostic(
        `Invalid "${object}" attribute`,
        subject.name === 'env'
          ? `The ${object}.env attribute was deprecated in v0.10 and removed in v0.12. The "state environment" concept was renamed to "workspace" in v0.12, and so the workspace name can now be accessed using the ${object}.workspace attribute.`
          : `The "${object}" object does not have an attribute named "${subject.name}". The only supported attributes are ${object}.workspace, the name of the currently-selected workspace, and ${object}.applying, a boolean which is true only during apply.`,
        range,
      );
    }
    default:
      return undefined;
  }
}

/** Returns the error for an unavailable `self` or `caller`. */
export function selfUnavailable({ subject, range }: Reference): Diagnostic {
  return subject.kind === 'caller'
    ? errorDiagnostic(
        'Invalid "caller" reference',
        'The "caller" object is not available in this context. This object can be used only in action blocks triggered from a resource instance.',
        range,
      )
    : errorDiagnostic(
        'Invalid "self" reference',
        'The "self" object is not available in this context. This object can be used only in resource provisioner, connection, and postcondition blocks.',
        range,
      );
}

/** Actions have no value for expressions. */
export function actionUnavailable({ range }: Reference): Diagnostic {
  return errorDiagnostic(
    'Invalid reference',
    "Actions can not be referenced in this context. They can only be referenced from within a resource's lifecycle actions list.",
    range,
  );
}

function eachUnavailable(name: string, { range }: Reference): Diagnostic {
  switch (name) {
    case 'key':
      return errorDiagnostic(
        'Reference to "each" in context without for_each',
        'The "each" object can be used only in "module" or "resource" blocks, and only when the "for_each" argument is set.',
        range,
      );
    case 'value':
      return errorDiagnostic(
        'each.value cannot be used in this context',
        'A reference to "each.value" has been used in a context in which it is unavailable, such as when the configuration no longer contains the value in its "for_each" expression. Remove this reference to each.value in your configuration to work around this error.',
        range,
      );
    default:
      return errorDiagnostic(
        'Invalid "each" attribute',
        `The "each" object does not have an attribute named "${name}". The supported attributes are each.key and each.value, the current key and value pair of the "for_each" attribute set.`,
        range,
      );
  }
}
