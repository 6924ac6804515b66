import type { Expression } from '../model.ts';
import { type Range, rangeBetween } from '../source/source.ts';

/** Returns the part of an expression to highlight if the whole would be too long (hcl StartRange). */
export function startRange(expression: Expression): Range {
  switch (expression.kind) {
    case 'call':
      return rangeBetween(expression.nameRange, expression.openRange);
    case 'conditional':
      return startRange(expression.condition);
    case 'binary':
      return startRange(expression.left);
    case 'unary':
      return expression.symbolRange;
    case 'index':
    case 'tuple':
    case 'object':
    case 'for':
      return expression.openRange;
    case 'splat':
      return expression.markerRange;
    case 'template': {
      const first = expression.parts[0];
      return first === undefined ? expression.range : startRange(first);
    }
    case 'templateJoin':
      return startRange(expression.tuple);
    case 'objectKey':
    case 'iteration':
      return startRange(expression.wrapped);
    case 'parentheses':
      return startRange(expression.inner);
    case 'json':
      return expression.node.startRange;
    case 'literal':
    case 'templateWrap':
    case 'scopeTraversal':
    case 'relativeTraversal':
    case 'splatItem':
    case 'syntaxError':
    case 'blocks':
      return expression.range;
  }
}
