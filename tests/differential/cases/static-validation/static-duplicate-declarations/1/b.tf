resource "terraform_data" "a" {}
ephemeral "foo" "x" {}
ephemeral "foo" "x" {}
