import { type Body, type Diagnostic, errorDiagnostic, type Expression } from '@terrane/hcl';

/** Adds the attributes of a `locals` block; reports names that are declared twice. */
export function collectLocals(
  body: Body,
  locals: Map<string, Expression>,
  diagnostics: Diagnostic[],
): void {
  const { attributes, diagnostics: problems } = body.justAttributes();
  diagnostics.push(...problems);
  for (const { name, expression, nameRange } of attributes.values()) {
    if (locals.has(name)) {
      const detail = `A local value named ${JSON.stringify(name)} is declared already. Names of local values are unique.`;
      diagnostics.push(errorDiagnostic('Duplicate local value', detail, nameRange));
      continue;
    }
    locals.set(name, expression);
  }
}
