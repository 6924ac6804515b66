output "a" { value = 1 // x
}
output "b" { value = 1 /* x */ }
output "c" { value = 1 /* x
*/ }
# x
//
