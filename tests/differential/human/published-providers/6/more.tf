resource "local_file" "impossible" {
  filename = "secret.txt/below"
  content  = "x"
}
