terraform {
  encryption {
    key_provider "pbkdf2" "k" {
      passphrase = "correct horse battery"
    }
    method "aes_gcm" "m" {
      keys = "x"
    }
    state {
      method = method.aes_gcm.m
    }
  }
}

output "x" {
  value = "v"
}
