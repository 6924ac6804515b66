/** An id without what is in front of it in answers: "/hostedzone/Z1" is "Z1". */
export function bareId(id: string | undefined): string {
  return (id ?? '').replace(/^\/(?:hostedzone|change|delegationset)\//, '');
}

/** A name without the dot at its end, unless it is that alone. */
export function withoutDot(name: string): string {
  return name === '.' ? name : name.replace(/\.$/, '');
}

/** A domain name as it is compared: in lower case, with what answers escape written out, without the dot. */
export function normalName(name: string): string {
  const written = name.replace(/\\(\d{3})/g, (_, octal: string) =>
    String.fromCharCode(Number.parseInt(octal, 8)),
  );
  return withoutDot(written.toLowerCase());
}

/** The name of the target of an alias, of which balancers have a "dualstack." that does not count. */
export function aliasName(name: string): string {
  return normalName(name).replace(/^dualstack\./, '');
}

/** The whole name of a record, which may be written without that of its zone. */
export function recordName(name: string, zone: string): string {
  const [relativeName, domain] = [normalName(name), withoutDot(zone)];
  if (relativeName === '') return domain;
  return relativeName.endsWith(domain) ? relativeName : `${relativeName}.${domain}`;
}
