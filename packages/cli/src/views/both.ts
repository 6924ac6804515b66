/**
 * Combines two views: each call is forwarded to both, and results and properties are those of the first; its promise
 * resolves when both have. `changed` replaces some members.
 */
export function both<V extends object>(first: V, second: V, changed: Partial<V> = {}): V {
  return new Proxy(first, {
    get(_, name): unknown {
      if (Reflect.has(changed, name)) return Reflect.get(changed, name);
      const member: unknown = Reflect.get(first, name);
      if (typeof member !== 'function') return member;
      return (...args: readonly unknown[]): unknown => {
        const answer: unknown = Reflect.apply(member, first, args);
        const other: unknown = Reflect.get(second, name);
        const otherAnswer: unknown =
          typeof other === 'function' ? Reflect.apply(other, second, args) : undefined;
        return otherAnswer instanceof Promise ? otherAnswer.then(() => answer) : answer;
      };
    },
  });
}
