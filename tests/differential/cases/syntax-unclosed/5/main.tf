output "a" {
  value = "abc
}
