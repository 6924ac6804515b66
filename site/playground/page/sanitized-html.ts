const ELEMENTS: ReadonlySet<string> = new Set(
  'a,b,blockquote,br,code,del,div,em,h1,h2,h3,h4,h5,h6,hr,i,li,ol,p,pre,span,strong,table,tbody,td,th,thead,tr,ul'.split(
    ',',
  ),
);

/** Returns HTML without scripts, images, forms, styles and attributes other than links to web pages. */
export function sanitizedHtml(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  for (const element of [...body.querySelectorAll('*')]) {
    if (!ELEMENTS.has(element.localName)) {
      element.remove();
      continue;
    }
    for (const { name, value } of [...element.attributes]) {
      const isLink = element.localName === 'a' && name === 'href' && value.startsWith('https://');
      // Classes are those of highlighted code.
      if (!isLink && name !== 'class') element.removeAttribute(name);
    }
    if (element.localName === 'a') {
      element.setAttribute('rel', 'noreferrer');
      element.setAttribute('target', '_blank');
    }
  }
  return body.innerHTML;
}
