variable "secret" {
  type      = string
  default   = "x.txt"
  sensitive = true
}

resource "terraform_data" "file" {
  input = file("x.txt")
}

resource "terraform_data" "filebase64" {
  input = filebase64("x.txt")
}

resource "terraform_data" "fileexists" {
  input = fileexists("gone.txt")
}

resource "terraform_data" "fileset" {
  input = fileset(".", "*.txt")
}

resource "terraform_data" "digest" {
  input = core::filesha256("x.txt")
}

resource "terraform_data" "templatefile" {
  input = templatefile("t.tftpl", { v = "v" })
}

resource "terraform_data" "template_that_reads" {
  input = templatefile("reads.tftpl", {})
}

resource "terraform_data" "templatestring" {
  input = templatestring(local.text, { v = file("x.txt") })
}

resource "terraform_data" "sensitive" {
  input = file(var.secret)
}

resource "terraform_data" "tried" {
  input = try(file("x.txt"), "caught")
}

resource "terraform_data" "same" {
  input = file("same.txt")
}

locals {
  text  = "<$${v}>"
  local = upper(file("x.txt"))
}

resource "terraform_data" "local" {
  input = local.local
}

resource "terraform_data" "condition" {
  input = "condition"
  lifecycle {
    postcondition {
      condition     = file("x.txt") == self.input || true
      error_message = "Never."
    }
  }
}

# Values that are known in the plan are taken from there.
output "known" {
  value = file("x.txt")
}

output "unknown" {
  value = "${terraform_data.same.id} ${filemd5("x.txt")}"
}
