language {
  edition     = TF2021
  experiments = [one, "two"]
  nonsense    = true

  compatible_with {
    opentofu = ">= 1.6"
  }

  compatible_with {
    opentofu = ">= 1.12"
  }
}

language {
  edition = tofu2099
}

language {
  edition     = "tofu2024"
  experiments = all
}
