output "a" {
  value = "abc${foo"
}
