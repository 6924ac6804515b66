output "text" {
  value = "one"
}
output "longer_name" {
  value = 1
}
output "list" {
  value = ["a", { b = 1 }]
}
output "gone" {
  value = "g"
}
output "multi" {
  value = "line 1\nline 2"
}
