import { isNode, nameOf, type Node, walk } from '../syntax.ts';

/**
 * Calls `visit` with every name that a syntax tree declares: variables, parameters, functions, members of classes,
 * interfaces and type literals, and properties of object literals. A shorthand property repeats the name of a
 * variable and is not counted again.
 */
export function visitDeclaredNames(program: Node, visit: (name: string, node: Node) => void): void {
  const declare = (target: unknown): void => visitPattern(target, visit);
  walk(program, (node) => {
    switch (node.type) {
      case 'VariableDeclarator':
        return declare(node['id']);
      case 'FunctionDeclaration':
      case 'TSDeclareFunction':
      case 'FunctionExpression':
        declare(node['id']);
        return nodes(node['params']).forEach(declare);
      case 'ArrowFunctionExpression':
      case 'TSFunctionType':
      case 'TSConstructorType':
      case 'TSCallSignatureDeclaration':
      case 'TSEmptyBodyFunctionExpression':
        return nodes(node['params']).forEach(declare);
      case 'TSMethodSignature':
        declareKey(node, declare);
        return nodes(node['params']).forEach(declare);
      case 'CatchClause':
        return declare(node['param']);
      case 'TSPropertySignature':
      case 'PropertyDefinition':
      case 'MethodDefinition':
      case 'AccessorProperty':
        return declareKey(node, declare);
      case 'ObjectExpression':
        for (const property of nodes(node['properties'])) {
          if (property.type === 'Property' && property['shorthand'] !== true) {
            declareKey(property, declare);
          }
        }
    }
  });
}

/** Calls `visit` with the names that a pattern binds. */
function visitPattern(target: unknown, visit: (name: string, node: Node) => void): void {
  const declare = (part: unknown): void => visitPattern(part, visit);
  if (!isNode(target)) return;
  switch (target.type) {
    case 'Identifier': {
      const name = nameOf(target);
      if (name !== undefined) visit(name, target);
      return;
    }
    case 'ObjectPattern':
      for (const property of nodes(target['properties'])) {
        declare(property.type === 'RestElement' ? property['argument'] : property['value']);
      }
      return;
    case 'ArrayPattern':
      for (const element of nodes(target['elements'])) declare(element);
      return;
    case 'AssignmentPattern':
      return declare(target['left']);
    case 'RestElement':
      return declare(target['argument']);
    case 'TSParameterProperty':
      return declare(target['parameter']);
    case 'PrivateIdentifier':
      if (typeof target['name'] === 'string') visit(target['name'], target);
  }
}

function declareKey(node: Node, declare: (target: unknown) => void): void {
  if (node['computed'] !== true) declare(node['key']);
}

function nodes(list: unknown): Node[] {
  return Array.isArray(list) ? list.filter(isNode) : [];
}
