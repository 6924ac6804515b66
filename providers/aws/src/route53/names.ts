/** Removes the path of an ID in responses: "/hostedzone/Z1" is "Z1". */
export function bareId(id: string | undefined): string {
  return (id ?? '').replace(/^\/(?:hostedzone|change|delegationset)\//, '');
}

/** Removes the final dot of a name, unless it is the whole name. */
export function withoutDot(name: string): string {
  return name === '.' ? name : name.replace(/\.$/, '');
}

/** Normalises a domain name for comparisons: lower case, without the escapes of responses and the final dot. */
export function normalName(name: string): string {
  const written = name.replace(/\\(\d{3})/g, (_, octal: string) =>
    String.fromCharCode(Number.parseInt(octal, 8)),
  );
  return withoutDot(written.toLowerCase());
}

/** Returns the name of an alias target, without the insignificant prefix "dualstack." of load balancers. */
export function aliasName(name: string): string {
  return normalName(name).replace(/^dualstack\./, '');
}

/** Returns the full name of a record, whose configured name may omit that of its zone. */
export function recordName(name: string, zone: string): string {
  const [relativeName, domain] = [normalName(name), withoutDot(zone)];
  if (relativeName === '') return domain;
  return relativeName.endsWith(domain) ? relativeName : `${relativeName}.${domain}`;
}
