resource "terraform_data" "text" {
  input = "not a number"
}

resource "terraform_data" "number" {
  input = tonumber(terraform_data.text.output)
}

resource "terraform_data" "indexed" {
  input = [1, 2][length(terraform_data.text.output)]
}

resource "terraform_data" "fine" {
  input = length(terraform_data.text.output)
}
