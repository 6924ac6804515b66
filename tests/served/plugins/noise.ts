// Side effects that a provider's module may have while it is loaded.
console.log('noise on standard output');
console.error('noise on standard error');
