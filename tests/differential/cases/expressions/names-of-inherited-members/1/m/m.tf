variable "__proto__" {}
output "__proto__" { value = var.__proto__ }
output "toString" { value = 1 }
