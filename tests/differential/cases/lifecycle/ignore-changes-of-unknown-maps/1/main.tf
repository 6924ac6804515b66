resource "terraform_data" "source" {
  input = { a = "1" }
}

resource "random_pet" "unknown" {
  keepers = terraform_data.source.output

  lifecycle {
    ignore_changes = [keepers]
  }
}

resource "random_pet" "key" {
  keepers = terraform_data.source.output

  lifecycle {
    ignore_changes = [keepers["a"]]
  }
}

resource "random_pet" "known" {
  keepers = terraform_data.source.input

  lifecycle {
    ignore_changes = [keepers]
  }
}

resource "random_pet" "element" {
  keepers = { a = terraform_data.source.output.a }

  lifecycle {
    ignore_changes = [keepers]
  }
}

resource "random_pet" "text" {
  prefix = terraform_data.source.output.a

  lifecycle {
    ignore_changes = [prefix]
  }
}
