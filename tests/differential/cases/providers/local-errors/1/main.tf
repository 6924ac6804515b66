terraform {
  required_providers {
    local = { source = "hashicorp/local" }
  }
}

resource "local_file" "none" {
  filename = "x"
}

resource "local_file" "both" {
  filename       = "x"
  content        = "a"
  content_base64 = "YQ=="
}

resource "local_file" "permission" {
  filename        = "x"
  content         = "a"
  file_permission = "rwx"
}

resource "local_file" "missing" {
  content = "a"
}
