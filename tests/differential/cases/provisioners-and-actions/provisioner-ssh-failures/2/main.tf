locals {
  scripts = {
    empty     = ["main.tf", ""]
    null      = [null]
    not-there = ["main.tf", "sub/none.sh"]
    none      = []
  }
  lines = {
    null  = [null]
    empty = ["true", ""]
    none  = []
  }
  files = {
    user    = "~someone/file"
    missing = "there-is-none"
  }
}

resource "terraform_data" "script" {
  for_each = local.scripts
  connection {
    host    = "127.0.0.1"
    port    = 1
    timeout = "1s"
  }
  provisioner "remote-exec" {
    scripts = each.value
  }
}

resource "terraform_data" "inline" {
  for_each = local.lines
  connection {
    host    = "127.0.0.1"
    port    = 1
    timeout = "1s"
  }
  provisioner "remote-exec" {
    inline = each.value
  }
}

resource "terraform_data" "single" {
  for_each = toset(["", "there-is-none.sh"])
  connection {
    host    = "127.0.0.1"
    port    = 1
    timeout = "1s"
  }
  provisioner "remote-exec" {
    script = each.value
  }
}

resource "terraform_data" "file" {
  for_each = local.files
  connection {
    host    = "127.0.0.1"
    port    = 1
    timeout = "1s"
  }
  provisioner "file" {
    source      = each.value
    destination = "/nowhere/at-all"
  }
}

resource "terraform_data" "unconnected" {
  provisioner "file" {
    content     = "x"
    destination = "/nowhere/at-all"
  }
}
