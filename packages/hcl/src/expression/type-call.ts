/** Returns true if a function of this name takes a type as its second argument: `convert(value, type)`. */
export function takesType(name: string): boolean {
  return name === 'convert' || name === 'core::convert';
}
