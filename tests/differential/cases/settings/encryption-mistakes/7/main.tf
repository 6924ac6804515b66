terraform {
  encryption {
    key_provider "pbkdf2" "k" {
      passphrase = "correct horse battery"
    }
    method "aes_gcm" "m" {
    }
    state {
      method = method.aes_gcm.m
    }
  }
}

output "x" {
  value = "v"
}
