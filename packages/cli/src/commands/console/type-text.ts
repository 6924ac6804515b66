import { friendlyName, type Type } from '@terrane/cty';

/** A type as the console's `type` function shows it, structure over several lines. */
export function typeText(type: Type, level = 0): string {
  const outer = '    '.repeat(level);
  const inner = '    '.repeat(level + 1);
  switch (type.kind) {
    case 'object': {
      if (type.names.length === 0) return 'object({})';
      const parts = type.names.map((name, index) => {
        const part = type.types[index];
        return `${inner}${name}: ${part === undefined ? '' : typeText(part, level + 1)},\n`;
      });
      return `object({\n${parts.join('')}${outer}})`;
    }
    case 'tuple': {
      if (type.elements.length === 0) return 'tuple([])';
      const parts = type.elements.map((part) => `${inner}${typeText(part, level + 1)},\n`);
      return `tuple([\n${parts.join('')}${outer}])`;
    }
    case 'list':
    case 'map':
    case 'set': {
      const { element } = type;
      const structural = element.kind === 'object' || element.kind === 'tuple';
      return structural
        ? `${type.kind}(\n${inner}${typeText(element, level + 1)},\n${outer})`
        : `${type.kind}(${typeText(element, level)})`;
    }
    default:
      return friendlyName(type);
  }
}
