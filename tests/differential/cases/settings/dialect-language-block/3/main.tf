language {
  compatible_with {
    opentofu = "> 99"
  }
}

resource "nothing" {
}
