terraform {
  required_providers {
    local = {
      source = "hashicorp/local"
    }
  }
}

resource "local_file" "f" {
  filename = "made/file.txt"
  content  = "x"

  depends_on = [terraform_data.before]
}

resource "terraform_data" "before" {
  input = provider::local::direxists("made")
}

resource "terraform_data" "after" {
  input = [local_file.f.id, provider::local::direxists("made")]
}
