terraform {
  required_providers {
    probe = { source = "example.com/terrane/probe" }
  }
}

resource "probe_counted" "c" {
  name = "c"
  note = "n"
}
resource "terraform_data" "d" {
  input = "d"
}
resource "probe_planned" "p" {
  name = "p"
}
