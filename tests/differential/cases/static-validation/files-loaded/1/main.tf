# A comment
// another
/* and
   another */
output "main" { value = "main" } # at the end
