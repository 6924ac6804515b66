output "a" {
  value: 1
}
output "b" {
  value 1
}
output "c" {
  value
}
output "d" {
  = 1
}
output "e" {
  "value" = 1
}
output "f" {
  value == 1
}
