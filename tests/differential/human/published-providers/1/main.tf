terraform {
  required_providers {
    random = { source = "hashicorp/random" }
    local  = { source = "hashicorp/local" }
    time   = { source = "hashicorp/time" }
  }
}
resource "random_password" "p" {
  length = 8
}
resource "local_file" "f" {
  filename = "out.txt"
  content  = "content\n"
}
resource "local_sensitive_file" "s" {
  filename = "secret.txt"
  content  = "secret"
}
resource "time_static" "t" {
  rfc3339 = "2020-01-01T00:00:00Z"
}
