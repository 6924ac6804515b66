ephemeral "random_password" "p" {
  length     = 4
  depends_on = [terraform_data.none, "x", var.nope]
  provider   = random.other
}
