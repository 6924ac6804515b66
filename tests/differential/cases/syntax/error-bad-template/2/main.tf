output "no_endif" {
  value = "%{ if true }x"
}
output "unknown_directive" {
  value = "%{ while true }x%{ endwhile }"
}
output "wrong_end" {
  value = "%{ for x in [] }x%{ endif }"
}
output "extra" {
  value = "${1 2}"
}
