terraform {
  encryption {
    key_provider "pbkdf2" "k" {
      passphrase = "correct horse battery"
    }
    method "aes_gcm" "m" {
      keys = key_provider.pbkdf2.k
    }
    state {
      method = method.aes_gcm
    }
  }
}

output "x" {
  value = "v"
}
