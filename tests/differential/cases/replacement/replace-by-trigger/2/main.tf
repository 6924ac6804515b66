resource "terraform_data" "source" {
  input            = "v"
  triggers_replace = { version = 2, list = [1, 2] }
}

resource "terraform_data" "reader" {
  input = "id is ${terraform_data.source.id}"
}

output "id_length" {
  value = length(terraform_data.source.id)
}
