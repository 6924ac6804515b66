resource 'a' 'b' {}
