// What a module of a provider may do while it is loaded.
console.log('noise on standard output');
console.error('noise on standard error');
