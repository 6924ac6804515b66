locals {
  nowhere = { host = "127.0.0.1", port = 1 }
  cases = {
    refused         = { timeout = "1s" }
    no-host         = { host = "" }
    null-host       = { host = null }
    type            = { type = "telnet" }
    platform        = { target_platform = "beos" }
    large-port      = { port = 65536 }
    no-key          = { private_key = "not a key" }
    encrypted       = { private_key = file("encrypted.txt") }
    encrypted-pem   = { private_key = "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\nAAAA\n-----END RSA PRIVATE KEY-----\n" }
    unsupported-key = { private_key = "-----BEGIN SSH2 ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END SSH2 ENCRYPTED PRIVATE KEY-----\n" }
    no-agent        = { agent = true }
    bastion         = { bastion_host = "127.0.0.1", bastion_port = 2, timeout = "1s" }
    proxy           = { proxy_host = "127.0.0.1", proxy_port = 3, timeout = "1s" }
    bastion-proxy   = { bastion_host = "127.0.0.1", proxy_host = "127.0.0.1", proxy_port = 3, timeout = "1s" }
    proxy-scheme    = { proxy_host = "127.0.0.1", proxy_scheme = "gopher", timeout = "1s" }
  }
}

resource "terraform_data" "case" {
  for_each = local.cases
  connection {
    host            = try(each.value.host, local.nowhere.host)
    port            = try(each.value.port, local.nowhere.port)
    type            = try(each.value.type, null)
    timeout         = try(each.value.timeout, null)
    target_platform = try(each.value.target_platform, null)
    private_key     = try(each.value.private_key, null)
    agent           = try(each.value.agent, null)
    bastion_host    = try(each.value.bastion_host, null)
    bastion_port    = try(each.value.bastion_port, null)
    proxy_host      = try(each.value.proxy_host, null)
    proxy_port      = try(each.value.proxy_port, null)
    proxy_scheme    = try(each.value.proxy_scheme, null)
  }
  provisioner "remote-exec" {
    inline = ["true"]
  }
}
